// Other people's tools for the content of a drive.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgelight-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const image = path.join(folder, 'drive.img');

/** What a tool prints when it is run on a drive's content. */
function tool(volume, program, before, after = []) {
  fs.writeFileSync(image, volume);
  return execFileSync(program, [...before, image, ...after], { encoding: 'utf8' });
}

export function fsck(volume) {
  const places = ['/usr/sbin/fsck.fat', '/sbin/fsck.fat'];
  tool(volume, places.find((place) => fs.existsSync(place)) ?? 'fsck.fat', ['-n']);
}

export function names(volume) {
  return tool(volume, 'mdir', ['-b', '-i'], ['::']).trim().split('\n').map((name) => name.replace('::/', '')).sort();
}

export function label(volume) {
  return tool(volume, 'mlabel', ['-s', '-i'], ['::']);
}

export function file(volume, name) {
  return tool(volume, 'mtype', ['-i'], [`::${name}`]);
}

/** The drive's content with a file in it. */
export function withFile(volume, name, text) {
  const source = path.join(folder, 'file');
  fs.writeFileSync(source, text);
  tool(volume, 'mcopy', ['-D', 'o', '-i'], [source, `::${name}`]);
  return fs.readFileSync(image);
}
