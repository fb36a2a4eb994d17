/** Lends a program from the test run to the test files of this provider (`tests/support/setup/lent-programs.ts`). */
export { serveSharedEmulator as lend } from './shared-emulator.ts'
