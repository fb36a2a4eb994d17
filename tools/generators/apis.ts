import { referencePages } from '@kerf/apis'
import { legacyCrdManifests } from '@kerf/apis/legacy'
import type { ProviderDescriptor } from '@kerf/provider-contract'
import { allCrdFiles, crdFiles } from '../../packages/cli/src/crds/crd-files.ts'
import { providers } from '../../packages/cli/src/providers.ts'

const withRules = (providers as readonly ProviderDescriptor[]).filter(({ chart }) => chart.coreRules !== undefined)

/** The custom resource definitions and their reference pages. */
export const files = async (): Promise<{ path: string; content: string }[]> => [
  ...allCrdFiles().map(({ fileName, yaml }) => ({ path: `packages/apis/generated/crds/${fileName}`, content: yaml })),
  ...withRules.flatMap(({ name }) =>
    crdFiles(name).map(({ fileName, yaml }) => ({
      path: `packages/apis/generated/crds-${name}/${fileName}`,
      content: yaml,
    })),
  ),
  ...legacyCrdManifests().map(({ fileName, yaml }) => ({
    path: `packages/apis/generated/crds-legacy/${fileName}`,
    content: yaml,
  })),
  ...referencePages().map(({ fileName, markdown }) => ({ path: `docs/reference/${fileName}`, content: markdown })),
]
