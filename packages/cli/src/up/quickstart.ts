import { fileURLToPath } from 'node:url'
import { bundleContent } from '../bundle-content.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { parseManifests } from '../manifests/parse-manifests.ts'
import { readManifests } from '../manifests/read-manifests.ts'

const FOLDER = 'examples/quickstart/'

/** Returns the manifests of the quickstart, or only those in one of its files. */
export const quickstart = async (name = ''): Promise<readonly Manifest[]> => {
  if (bundleContent === undefined)
    return readManifests([fileURLToPath(new URL(`../../../../${FOLDER}${name}`, import.meta.url))], {
      repeated: 'keep',
    })
  return Object.entries(bundleContent.files)
    .filter(([path]) => path.startsWith(FOLDER + name))
    .flatMap(([path, text]) => parseManifests(text, path))
}
