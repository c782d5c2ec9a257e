// A worker in workerd, the runtime of Cloudflare Workers.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The response of the worker that `config.capnp` of a folder describes. */
export async function serveWorker(folder) {
  const program = join(folder, "node_modules/.bin/workerd");
  const server = spawn(program, ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  try {
    const port = await listeningPort(server.stdio[3]);
    return await (await fetch(`http://127.0.0.1:${port}/`)).text();
  } finally {
    server.kill();
  }
}

async function listeningPort(output) {
  for await (const line of createInterface({ input: output })) {
    const message = JSON.parse(line);
    if (message.event === "listen") return message.port;
  }
  throw new Error("workerd ended before it listened");
}
