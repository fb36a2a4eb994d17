import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { imageManifests } from '../image/image-manifests.ts'
import { imageName, stampedWith } from '../image/image-name.ts'
import { root } from '../source-files.ts'
import type { ReleasedImage } from './released-charts.ts'

/** The provider whose file is named `karpenter.yaml`. */
const FIRST = 'aws'

const head = (provider: string): string =>
  `# Kerf for ${provider}: the custom resources, then the controller. kubectl apply --server-side -f FILE
`

const withoutHead = (yaml: string): string => yaml.slice(yaml.indexOf('---\n'))

/**
 * Returns the files from which `kubectl apply` installs Kerf: `karpenter.yaml` for AWS, `karpenter-PROVIDER.yaml` for the other providers,
 * and `karpenter-PROVIDER-management.yaml` for a separate management cluster. They name the pushed image.
 * @throws Error if the digest is invalid
 */
export const releasedManifests = (image: ReleasedImage): readonly { readonly name: string; readonly text: string }[] =>
  imageManifests().flatMap((file) => {
    const provider = basename(dirname(file))
    const read = (name: string): string => readFileSync(join(root, 'deploy', 'manifests', provider, name), 'utf8')
    const controller = stampedWith(read('karpenter.yaml'), imageName(), image)
    const name = provider === FIRST ? 'karpenter' : `karpenter-${provider}`
    const management = join(root, 'deploy', 'manifests', provider, 'management.yaml')
    return [
      {
        name: `${name}.yaml`,
        text: `${head(provider)}${withoutHead(read('crds.yaml'))}${withoutHead(controller)}`,
      },
      ...(existsSync(management) ? [{ name: `${name}-management.yaml`, text: readFileSync(management, 'utf8') }] : []),
    ]
  })
