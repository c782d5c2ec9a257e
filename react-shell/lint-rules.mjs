// Lint rules of the shell that oxlint does not have.

/** DOM methods whose results have no use. In current browsers those that scroll return promises. */
const SCROLLING = ["scroll", "scrollBy", "scrollIntoView", "scrollTo"];
const ACTIONS = new Set([...SCROLLING, "blur", "click", "close", "focus", "pause", "play", "select", "showModal"]);
const EFFECTS = new Set(["useEffect", "useInsertionEffect", "useLayoutEffect"]);
const FUNCTIONS = new Set(["ArrowFunctionExpression", "FunctionExpression"]);

/** The name of the method that an expression calls, also behind `?.`. @param {any} expression */
function calledMethod(expression) {
  const call = expression?.type === "ChainExpression" ? expression.expression : expression;
  return call?.type === "CallExpression" ? call.callee.property?.name : undefined;
}

/** Effects, ref callbacks and event handlers: React calls what an effect or a ref callback returns as its cleanup. */
const noReturnedDomCall = {
  create: (/** @type {any} */ context) => ({
    CallExpression(/** @type {any} */ node) {
      const [effect] = node.arguments;
      const isEffect = EFFECTS.has(node.callee.name) && FUNCTIONS.has(effect?.type);
      if (!isEffect || effect.body.type === "BlockStatement" || FUNCTIONS.has(effect.body.type)) return;
      context.report({ node: effect, message: "An effect has a block body, or returns a cleanup function." });
    },
    JSXAttribute(/** @type {any} */ node) {
      const callback = node.value?.expression;
      if (node.name.name !== "ref" || !FUNCTIONS.has(callback?.type)) return;
      if (callback.body.type === "BlockStatement" || FUNCTIONS.has(callback.body.type)) return;
      context.report({ node: callback, message: "A ref callback has a block body, or returns a cleanup function." });
    },
    ArrowFunctionExpression(/** @type {any} */ node) {
      if (ACTIONS.has(calledMethod(node.body))) {
        context.report({ node, message: "Returns the result of a DOM call. Write a block." });
      }
    },
    ReturnStatement(/** @type {any} */ node) {
      if (ACTIONS.has(calledMethod(node.argument))) {
        context.report({ node, message: "Returns the result of a DOM call. Call it in a statement of its own." });
      }
    },
  }),
};

/** A scroll that is interrupted may reject its promise: `scrollToElement` handles it. */
const noDirectScroll = {
  create: (/** @type {any} */ context) => ({
    CallExpression(/** @type {any} */ node) {
      if (!SCROLLING.includes(node.callee.property?.name)) return;
      context.report({ node, message: "Use scrollToElement of shared/scroll.ts: the call returns a promise." });
    },
  }),
};

export default {
  meta: { name: "shell" },
  rules: { "no-returned-dom-call": noReturnedDomCall, "no-direct-scroll": noDirectScroll },
};
