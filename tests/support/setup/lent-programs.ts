import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWatchdog } from '@kerf/control-plane'
import { serveSharedChromium } from '../../integration/browser/shared-chromium.ts'
import { importProviderExports } from '../provider-exports.ts'

type Lend = typeof serveSharedChromium

/**
 * Lends programs that are slow to start to the test files of a run. Vitest calls this function before the first file, and calls the
 * returned function after the last file. Each program starts when a file first needs it.
 */
export default async (): Promise<() => Promise<void>> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-lent-'))
  const watchdog = startWatchdog(directory)
  const ofProviders = await importProviderExports<{ readonly lend: Lend }>('./testing/lent-program')
  const lenders = await Promise.all([
    serveSharedChromium(directory, watchdog),
    ...ofProviders.map(({ lend }) => lend(directory, watchdog)),
  ])
  return async () => {
    await Promise.all(lenders.map((lender) => lender.close()))
    await watchdog.release()
  }
}
