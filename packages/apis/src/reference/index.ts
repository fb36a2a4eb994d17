import { type ConditionSet, conditionSets } from '../conditions.ts'
import { provisionerResource } from '../legacy/provisioner.ts'
import { ownValue } from '../own-value.ts'
import { coreResources } from '../resources/index.ts'
import { type DescribedKind, kindPage } from './kind-page.ts'
import { vocabularyPage } from './vocabulary-page.ts'

const coreKinds: readonly DescribedKind[] = [...coreResources, provisionerResource].map((resource) => ({
  resource,
  conditions: ownValue<ConditionSet>(conditionSets, resource.kind.kind),
}))

/**
 * Returns the name of a kind's page. Two kinds of one provider can differ only in case. Then the page name of the second kind also contains
 * the group.
 */
const pageName = ({ resource: { kind, singular } }: DescribedKind, all: readonly DescribedKind[]): string => {
  const first = all.find(({ resource }) => resource.singular === singular)
  return first?.resource.kind.kind === kind.kind ? `${singular}.md` : `${singular}-${kind.group}.md`
}

/** Returns the reference pages: one for each core kind and each of the given resource kinds, and one for labels and similar keys. */
export const referencePages = (
  kinds: readonly DescribedKind[],
): { readonly fileName: string; readonly markdown: string }[] => [
  ...[...coreKinds, ...kinds].map((kind, _, all) => ({
    fileName: pageName(kind, all),
    markdown: kindPage(kind),
  })),
  { fileName: 'labels.md', markdown: vocabularyPage() },
]
