import type { KubeObject } from '@kerf/apis'
import { parseAllDocuments } from 'yaml'
import { draftMigration } from '../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../packages/cli/src/migrate/groups/read-sources.ts'

/** Returns the migration that `kerf migrate cas` drafts for the documents of a cluster. */
export const drafted = async (documents: readonly unknown[]) => {
  const folder = await draftMigration(
    await readSources(documents.map((value) => ({ value, file: 'in' }))),
    { outputDir: 'out', variant: 'faithful' },
    Date.parse('2026-11-27T00:00:00Z'),
  )
  const objects = (file: string) =>
    parseAllDocuments(folder.files.get(file) ?? '').map(
      (document) => document.toJS() as KubeObject & { readonly spec: ReturnType<typeof JSON.parse> },
    )
  const lines = folder.conversions.map(
    ({ object, field, fate, to, because }) => `${object} | ${field} | ${to ?? fate} | ${because ?? ''}`,
  )
  return { ...folder, lines, pools: objects('nodepools.yaml'), classes: objects('nodeclasses.yaml') }
}
