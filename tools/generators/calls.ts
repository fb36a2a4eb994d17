import { importProviderExports } from '../../tests/support/provider-exports.ts'
import type { GeneratedPage } from '../generated-page.ts'

/** Generates a page for each provider that has a benchmark of its cloud calls. */
export const files = async (): Promise<readonly { path: string; content: string }[]> =>
  (await importProviderExports<{ readonly callsPage: GeneratedPage }>('./testing/call-bench')).map(({ callsPage }) => ({
    path: callsPage.path,
    content: callsPage.content(),
  }))
