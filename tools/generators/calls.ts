import { importFromProviders } from '../../tests/support/provider-files.ts'
import type { GeneratedPage } from '../generated-page.ts'

/** The page of each provider with a bench of its calls. */
export const files = async (): Promise<readonly { path: string; content: string }[]> =>
  (await importFromProviders<{ readonly callsPage: GeneratedPage }>('bench/calls-page.ts')).map(({ callsPage }) => ({
    path: callsPage.path,
    content: callsPage.content(),
  }))
