import type { Logger } from './logger.ts'

const ignore = (): void => {}

/** Discards every line. */
export const silentLogger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => silentLogger,
}
