import { useEffect, useRef } from "react";
import type { Signal } from "../rust-lab";

/** The least time between two repetitions, for those who watch the picture. */
const PAUSE_MS = 1_500;

/** A lamp that flashes as the light does. Without motion, the words beside it say the same. */
export function LampSignal({ signal: { durations, isRepeated } }: { signal: Signal }) {
  const lamp = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
    const animation = lamp.current?.animate(keyframes(durations, isRepeated ? 0.4 : 1), {
      duration: length(durations),
      iterations: Infinity,
    });
    return () => animation?.cancel();
  }, [durations, isRepeated]);
  return (
    <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-full border border-edge">
      <span ref={lamp} className="size-6 rounded-full bg-glow opacity-15" />
    </span>
  );
}

const length = (durations: readonly number[]) => durations.reduce((sum, ms) => sum + ms, PAUSE_MS);

/** Steps from lit to dark and back. */
function keyframes(durations: readonly number[], brightness: number): Keyframe[] {
  const whole = length(durations);
  const frames: Keyframe[] = [];
  let at = 0;
  for (const [index, ms] of durations.entries()) {
    frames.push({ offset: at / whole, opacity: index % 2 === 0 ? brightness : 0.15, easing: "steps(1, end)" });
    at += ms;
  }
  return [...frames, { offset: 1, opacity: 0.15 }];
}
