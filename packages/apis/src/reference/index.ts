import { legacyResources } from '../legacy/legacy-kinds.ts'
import { customResources } from '../resources/index.ts'
import { kindPage } from './kind-page.ts'
import { vocabularyPage } from './vocabulary-page.ts'

/** Returns the reference pages of this package: one for each kind, and one for labels and related keys. */
export const referencePages = (): { readonly fileName: string; readonly markdown: string }[] => [
  ...[...customResources, ...legacyResources].map((resource) => ({
    fileName: `${resource.singular}.md`,
    markdown: kindPage(resource),
  })),
  { fileName: 'labels.md', markdown: vocabularyPage() },
]
