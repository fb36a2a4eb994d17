import type { Step } from '@kerf/provider-kit'
import { isOciNotFound } from '../api/oci-api-error.ts'
import type { OciImage } from '../api/oci-shapes.ts'
import { oracleProblems } from '../node-class/class-problems.ts'
import type { OracleNodeClass } from '../node-class/oracle-node-class.ts'
import { byId, hasTags, isProblem } from './lookup.ts'
import { fittingImages } from './oke-images.ts'
import { networkStep } from './oracle-network-step.ts'
import { computeClusterStep, placementGroupStep, reservationStep } from './oracle-placement-steps.ts'
import { type OracleSteps, result } from './oracle-result.ts'

type ClassStep = Step<OracleNodeClass>

const imageStep = ({ api, compartments, clusterVersion }: OracleSteps): ClassStep => ({
  condition: 'Image',
  run: async ({ spec, status }, signal) => {
    const { imageId, imageFilter } = spec?.volumeConfig.bootVolumeConfig.imageConfig ?? {}
    const withImages = (images: readonly OciImage[], problems: readonly string[]) => ({
      status: {
        volume: {
          ...status?.volume,
          images: images.map(({ id, displayName }) => ({ imageId: id, displayName })),
        },
      },
      ...result('Image', problems),
    })
    if (imageId !== undefined) {
      const found = await byId('the image', imageId, () => api.image(imageId, signal))
      return isProblem(found) ? withImages([], [found.problem]) : withImages(found, [])
    }
    if (imageFilter === undefined) return withImages([], ['spec.volumeConfig is missing'])
    const { osFilter, osVersionFilter, compartmentId = compartments.okeImages } = imageFilter
    const query = { compartmentId, operatingSystem: osFilter, operatingSystemVersion: osVersionFilter }
    const matching = (await api.images(query, signal)).filter((image) => hasTags(image, imageFilter))
    const cluster = await clusterVersion(signal)
    if (cluster === undefined) return withImages([], ['the API server does not report its version'])
    const known = new Map(matching.map((image) => [image.id, image]))
    const read = async (id: string): Promise<OciImage | undefined> => {
      const image = known.get(id) ?? (await readImage(id))
      if (image !== undefined) known.set(id, image)
      return image
    }
    const readImage = async (id: string): Promise<OciImage | undefined> => {
      try {
        return await api.image(id, signal)
      } catch (error) {
        if (isOciNotFound(error)) return undefined
        throw error
      }
    }
    const fitting = await fittingImages(matching, cluster, read)
    const what = `${osFilter} ${osVersionFilter}`
    return withImages(
      fitting,
      fitting.length > 0
        ? []
        : [
            matching.length === 0
              ? `there is no image of ${what} with these tags in the compartment ${compartmentId}`
              : `no image of ${what} has a kubelet for Kubernetes ${cluster.major}.${cluster.minor}`,
          ],
    )
  },
})

/** Checks whether the class's compartment is readable. It is if Oracle Cloud lists its availability domains. */
const compartmentStep = ({ api, compartments }: OracleSteps): ClassStep => ({
  condition: 'NodeCompartment',
  run: async ({ spec }, signal) => {
    const id = spec?.nodeCompartmentId ?? compartments.nodes
    const found = await byId('the compartment', id, () => api.availabilityDomains(id, signal))
    return result('NodeCompartment', isProblem(found) ? [found.problem] : [])
  },
})

/** Copies the OCID without a check, because keys belong to a service that Kerf does not call. A launch fails if the OCID is wrong. */
const keyStep = (): ClassStep => ({
  condition: 'KmsKey',
  run: async ({ spec, status }) => {
    const id = spec?.volumeConfig.bootVolumeConfig.kmsKeyConfig?.kmsKeyId
    const { kmsKey: _, ...volume } = status?.volume ?? {}
    return {
      status: { volume: { ...volume, ...(id === undefined ? {} : { kmsKey: [{ kmsKeyId: id }] }) } },
      ...result('KmsKey', []),
    }
  },
})

const validationStep = ({ defaultIpCount }: OracleSteps): ClassStep => ({
  condition: 'ValidationSucceeded',
  run: async (nodeClass) => {
    const problems = oracleProblems(nodeClass, defaultIpCount)
    return {
      condition:
        problems.length === 0
          ? { type: 'ValidationSucceeded', status: 'True' }
          : { type: 'ValidationSucceeded', status: 'False', reason: 'Invalid', message: problems.join('; ') },
    }
  },
})

/** Returns the steps that resolve an OCINodeClass, in the order of its conditions. */
export const oracleSteps = (deps: OracleSteps): readonly ClassStep[] => [
  imageStep(deps),
  networkStep(deps),
  compartmentStep(deps),
  keyStep(),
  reservationStep(deps),
  placementGroupStep(),
  computeClusterStep(deps),
  validationStep(deps),
]
