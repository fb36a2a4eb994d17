import { imageName, stampedWith } from '../image/image-name.ts'
import { IMAGE_PROVIDER } from '../image/image-provider.ts'
import { plainManifests } from './plain-manifests.ts'
import type { ReleasedImage } from './released-charts.ts'

const head = (provider: string): string =>
  `# Kerf for ${provider}: the custom resources, then the controller. kubectl apply --server-side -f FILE
`

const withoutHead = (yaml: string): string => yaml.slice(yaml.indexOf('---\n'))

/**
 * Returns the files from which `kubectl apply` installs Kerf: `karpenter.yaml` for the image's default provider, `karpenter-PROVIDER.yaml`
 * for the other providers, and `karpenter-PROVIDER-management.yaml` for a separate management cluster. They refer to the pushed image.
 * @param helm the path of Helm
 * @throws Error if the digest is invalid
 */
export const releasedManifests = (
  image: ReleasedImage,
  helm: string,
): readonly { readonly name: string; readonly text: string }[] =>
  plainManifests(helm).flatMap(({ provider, crds, karpenter, management }) => {
    const controller = stampedWith(karpenter, imageName(), image)
    const name = provider === IMAGE_PROVIDER ? 'karpenter' : `karpenter-${provider}`
    return [
      { name: `${name}.yaml`, text: `${head(provider)}${withoutHead(crds)}${withoutHead(controller)}` },
      ...(management === undefined ? [] : [{ name: `${name}-management.yaml`, text: management }]),
    ]
  })
