/** The program that a run of tests lends to the test files of this provider (`tests/support/setup/lent-programs.ts`). */
export { serveSharedEmulator as lend } from './shared-emulator.ts'
