import { importProviderExports } from '../../tests/support/provider-exports.ts'
import type { GeneratedPage } from '../generated-page.ts'

/** The page of each provider with a bench of its calls. */
export const files = async (): Promise<readonly { path: string; content: string }[]> =>
  (await importProviderExports<{ readonly callsPage: GeneratedPage }>('./testing/call-bench')).map(({ callsPage }) => ({
    path: callsPage.path,
    content: callsPage.content(),
  }))
