import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWatchdog } from '@kerf/control-plane'
import { serveSharedEmulator } from '../../../providers/aws/tests/shared-emulator.ts'
import { serveSharedChromium } from '../../integration/browser/shared-chromium.ts'

/**
 * Lends programs that are slow to start to the test files of a run. Vitest calls this before the first file; the returned
 * function runs after the last. Each program starts when a file first asks for it.
 */
export default async (): Promise<() => Promise<void>> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-lent-'))
  const watchdog = startWatchdog(directory)
  const lenders = await Promise.all([
    serveSharedChromium(directory, watchdog),
    serveSharedEmulator(directory, watchdog),
  ])
  return async () => {
    await Promise.all(lenders.map((lender) => lender.close()))
    await watchdog.release()
  }
}
