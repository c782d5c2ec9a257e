import { useRootData } from "../../shared/root-data";
import { Prose } from "./prose";

// No line is longer than a small phone is wide.
const SAMPLE = `# Settings
wifi     = Home Network
password = correct horse
timezone = America/Toronto

# Rules
on    07:00-07:30 mon-fri
blink every 30m 09:00-17:00 for 10s
on    18:00-23:00 daily 40%
`;

export function Component() {
  const { shopName } = useRootData().config;
  return (
    <Prose title="Setup Tutorial">
      <h2>1. Plug it in</h2>
      <p>Put {shopName} into a USB port of your computer. A drive appears, with a file named SCHEDULE.TXT on it.</p>
      <h2>2. Write your schedule</h2>
      <p>
        Open the file with any text editor. Give it your wifi, its password and your time zone, then one line for each
        thing the light should do:
      </p>
      <pre className="overflow-x-auto rounded-card border border-line bg-card p-4 text-sm">{SAMPLE}</pre>
      <p>
        A line says what to do (<code>on</code>, <code>blink</code> or <code>off</code>), when, on which days, and how
        bright or how fast. Where two lines meet, the lower one wins.
      </p>
      <h2>3. Save it</h2>
      <p>
        Save the file and eject the drive. The light blinks twice when it has read your schedule, joins your wifi to ask
        for the time, and from then on needs nothing but power.
      </p>
    </Prose>
  );
}
