import { useRef, useState } from "react";
import { loadLab } from "../../shared/rust-lab";
import type { Daypart, HeroLine, LampState } from "../../shared/rust-pages";

/** The line of the hero's editor and its lamp; null is what the server rendered. */
interface Shown {
  line: string | null;
  lamp: LampState | null;
}

/**
 * The home page's lamp, which follows a line. The Schedule Lab, which evaluates it, loads with the first change. If it
 * cannot be loaded, the lamp does not change.
 */
export function useHeroLamp(): Shown & {
  changeLine: (line: string) => void;
  chooseDaypart: (daypart: Daypart) => void;
} {
  const [shown, setShown] = useState<Shown>({ line: null, lamp: null });
  const latest = useRef<HeroLine>(undefined);

  async function follow(hero: HeroLine) {
    latest.current = hero;
    setShown(({ lamp }) => ({ line: hero.line, lamp }));
    const lab = await loadLab().catch(() => undefined);
    if (lab !== undefined && latest.current === hero) setShown({ line: hero.line, lamp: lab.heroLamp(hero) });
  }

  return {
    ...shown,
    changeLine: (line) => void follow({ line, daypart: null }),
    chooseDaypart: (daypart) => void follow({ line: shown.line ?? editedLine(), daypart }),
  };
}

/** The line in the editor before it was changed. */
function editedLine(): string {
  return document.querySelector<HTMLInputElement>("#hero-line")?.value ?? "";
}
