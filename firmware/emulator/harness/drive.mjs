// External tools for FAT drives (mtools, dosfstools).
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nudgelight-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const image = path.join(folder, 'drive.img');

/** Runs a tool on a drive image and returns its output. */
function tool(volume, program, before, after = []) {
  fs.writeFileSync(image, volume);
  return execFileSync(program, [...before, image, ...after], { encoding: 'utf8' });
}

export function fsck(volume) {
  const paths = ['/usr/sbin/fsck.fat', '/sbin/fsck.fat'];
  tool(volume, paths.find((file) => fs.existsSync(file)) ?? 'fsck.fat', ['-n']);
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

/** Drive content with a file added or replaced. */
export function withFile(volume, name, text) {
  const source = path.join(folder, 'file');
  fs.writeFileSync(source, text);
  tool(volume, 'mcopy', ['-D', 'o', '-i'], [source, `::${name}`]);
  return fs.readFileSync(image);
}
