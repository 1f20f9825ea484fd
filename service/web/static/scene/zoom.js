// How a picture is looked at: nearer by two fingers, by wheel or by buttons, and moved along by one.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CELL } from "./coordinates.js";

/** @typedef {{by: number, x: number, y: number}} Zoom how many times nearer; the middle, in parts of the whole */
/** @typedef {[number, number, number, number]} Box x, y, width and height in the picture's units */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{current: SVGSVGElement | null}} Picture */

const STEP = 1.5;
const MOST = 12;
/** Nearer, a box is at most so many times as high as wide: a phone's screen is higher than a map. */
const HIGH = 1.1;
/** Pixels that a finger needs to hit a cell, and those that it trembles. */
const FINGER = 30;
const TREMBLING = 6;

/**
 * Which box of a picture is seen, and what changes that.
 *
 * @param {Picture} picture
 * @param {Box} whole
 * @param {Point | undefined} near where it begins, near enough that a finger hits a cell there
 */
export function useZoom(picture, whole, near) {
  const [zoom, setZoom] = useState({ by: 1, x: 0.5, y: 0.5 });
  const size = useSize(picture);
  const { width } = size;
  const change = (/** @type {(before: Zoom) => Zoom} */ to) => setZoom((before) => inside(whole, to(before)));
  useLayoutEffect(() => {
    if (width > 0 && near) change(() => ({ by: (FINGER / CELL) * (whole[2] / width), ...partsOf(whole, near) }));
  }, [width > 0]);
  const about = (/** @type {number} */ by, /** @type {Point | undefined} */ fixed) =>
    change((z) => nearer(z, by, fixed && partsOf(whole, fixed)));
  const gestures = useGestures(picture, {
    isNear: zoom.by > 1,
    moveBy: (d) => change((z) => ({ ...z, x: z.x - d.x / whole[2], y: z.y - d.y / whole[3] })),
    zoomAbout: about,
  });
  useWheel(picture, about);
  return {
    box: boxOf(whole, zoom),
    size,
    isNear: zoom.by > 1,
    ...gestures,
    zoomIn: () => about(STEP, undefined),
    zoomOut: () => about(1 / STEP, undefined),
  };
}

/** The place in the picture under a point of the screen. @param {Picture} picture @param {Point} at */
export function pictured(picture, { x, y }) {
  const matrix = picture.current?.getScreenCTM();
  return matrix ? new DOMPoint(x, y).matrixTransform(matrix.inverse()) : undefined;
}

/** @param {Box} whole @param {Point} point */
const partsOf = ([x, y, width, height], point) => ({ x: (point.x - x) / width, y: (point.y - y) / height });

/** @param {Box} whole @param {number} by @returns {{x: number, y: number}} the size of the box */
function sizeOf([, , width, height], by) {
  const x = width / by;
  return { x, y: Math.max(height / by, Math.min(height, x * HIGH)) };
}

/** @param {Zoom} zoom @param {number} by @param {Point | undefined} fixed what stays where it is, in parts */
function nearer(zoom, by, fixed) {
  const scale = Math.min(MOST, Math.max(1, zoom.by * by));
  if (!fixed) return { ...zoom, by: scale };
  const rest = zoom.by / scale;
  return { by: scale, x: fixed.x + (zoom.x - fixed.x) * rest, y: fixed.y + (zoom.y - fixed.y) * rest };
}

/** @param {Box} whole @param {Zoom} zoom @returns {Zoom} one whose box lies within the picture */
function inside(whole, zoom) {
  const by = Math.min(MOST, Math.max(1, zoom.by));
  const size = sizeOf(whole, by);
  const kept = (/** @type {number} */ at, /** @type {number} */ half) => Math.min(1 - half, Math.max(half, at));
  return { by, x: kept(zoom.x, size.x / whole[2] / 2), y: kept(zoom.y, size.y / whole[3] / 2) };
}

/** @param {Box} whole @param {Zoom} zoom @returns {Box} */
function boxOf(whole, zoom) {
  const size = sizeOf(whole, zoom.by);
  const [x, y, width, height] = whole;
  return [x + zoom.x * width - size.x / 2, y + zoom.y * height - size.y / 2, size.x, size.y];
}

/**
 * @typedef {object} Gestures
 * @property {boolean} isNear
 * @property {(by: Point) => void} moveBy in the picture's units
 * @property {(by: number, fixed: Point | undefined) => void} zoomAbout a point of the picture
 */

/** Fingers, or a mouse whose button is held. @param {Picture} picture @param {Gestures} gestures */
function useGestures(picture, { isNear, moveBy, zoomAbout }) {
  const held = useRef(/** @type {Map<number, Point>} */ (new Map()));
  const moved = useRef(false);
  const pressed = (/** @type {PointerEvent} */ e) => {
    if (held.current.size === 0) moved.current = false;
    held.current.set(e.pointerId, { x: e.clientX, y: e.clientY });
  };
  const dragged = (/** @type {PointerEvent} */ e) => {
    const before = held.current.get(e.pointerId);
    if (!before) return;
    const now = { x: e.clientX, y: e.clientY };
    const [other] = [...held.current].filter(([id]) => id !== e.pointerId).map(([, at]) => at);
    if (!other && (!isNear || (!moved.current && far(before, now) < TREMBLING))) return;
    moved.current = true;
    held.current.set(e.pointerId, now);
    const [was, is] = [pictured(picture, other ? middle(before, other) : before), pictured(picture, other ? middle(now, other) : now)];
    if (was && is) moveBy({ x: is.x - was.x, y: is.y - was.y });
    if (other && was) zoomAbout(far(now, other) / Math.max(1, far(before, other)), was);
  };
  const released = (/** @type {PointerEvent} */ e) => { held.current.delete(e.pointerId); };
  const wasMoved = () => {
    const answer = moved.current;
    moved.current = false;
    return answer;
  };
  const handlers = { onPointerDown: pressed, onPointerMove: dragged, onPointerUp: released, onPointerCancel: released, onPointerLeave: released };
  return { handlers, wasMoved };
}

/** @param {Point} a @param {Point} b */
const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
/** @param {Point} a @param {Point} b */
const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** The picture's size in pixels, 0 before it is shown. @param {Picture} picture */
function useSize(picture) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = picture.current;
    if (!element) return undefined;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    const watching = new ResizeObserver(measure);
    watching.observe(element);
    measure();
    return () => watching.disconnect();
  }, []);
  return size;
}

/** By wheel with the control key, as on any map within a page. @param {Picture} picture @param {Gestures["zoomAbout"]} zoomAbout */
function useWheel(picture, zoomAbout) {
  const current = useRef(zoomAbout);
  current.current = zoomAbout;
  useEffect(() => {
    const element = picture.current;
    const turned = (/** @type {WheelEvent} */ e) => {
      if (!e.ctrlKey) return;
      e.preventDefault();
      current.current(e.deltaY < 0 ? STEP : 1 / STEP, pictured(picture, { x: e.clientX, y: e.clientY }));
    };
    element?.addEventListener("wheel", turned, { passive: false });
    return () => element?.removeEventListener("wheel", turned);
  }, []);
}
