import { crdManifests, referencePages } from '@kerf/apis'
import { legacyCrdManifests } from '@kerf/apis/legacy'

/** The custom resource definitions and their reference pages. */
export const files = async (): Promise<{ path: string; content: string }[]> => [
  ...crdManifests().map(({ fileName, yaml }) => ({ path: `apis/generated/crds/${fileName}`, content: yaml })),
  ...crdManifests('aws').map(({ fileName, yaml }) => ({ path: `apis/generated/crds-aws/${fileName}`, content: yaml })),
  ...legacyCrdManifests().map(({ fileName, yaml }) => ({
    path: `apis/generated/crds-legacy/${fileName}`,
    content: yaml,
  })),
  ...referencePages().map(({ fileName, markdown }) => ({ path: `docs/reference/${fileName}`, content: markdown })),
]
