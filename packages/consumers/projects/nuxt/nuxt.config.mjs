export default { experimental: { payloadExtraction: false }, telemetry: false };
