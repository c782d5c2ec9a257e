// Jest's jsdom environment hides these globals of Node.js.
export const { TextDecoder, TextEncoder } = globalThis.TextDecoder
  ? globalThis
  : globalThis.process.getBuiltinModule("node:util");
