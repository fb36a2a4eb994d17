import { settingsReference } from '@kerf/runtime'
import { runSettings } from '../../packages/cli/src/run/run-settings.ts'

/** Generates docs/reference/settings.md from the tables that `kerf run` reads: the core settings and those of the providers. */
export const files = async (): Promise<readonly { path: string; content: string }[]> => [
  { path: 'docs/reference/settings.md', content: settingsReference(runSettings) },
]
