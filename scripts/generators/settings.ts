import { coreSettings, settingsReference } from '@kerf/runtime'

/** docs/reference/settings.md from the table that `kerf run` reads. */
export const files = async (): Promise<readonly { path: string; content: string }[]> => [
  { path: 'docs/reference/settings.md', content: settingsReference(coreSettings) },
]
