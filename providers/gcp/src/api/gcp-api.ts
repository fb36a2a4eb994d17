import type { compute_v1 } from '@googleapis/compute/build/v1.js'
import type { GceImage, GceInstance, InstanceTemplate, ZonalType, ZoneOperation } from './compute-shapes.ts'
import type { GkeCluster, GkeNodePool, ReleaseChannel } from './gke-shapes.ts'

/** The body of an insert request. */
export type InstanceRequest = compute_v1.Schema$Instance & { name: string }

/**
 * The client for Compute Engine in one project (`providers/gcp/docs/spec/gcp.md#calls`). Methods that return lists read all pages. Each
 * method throws GcpApiError, or the abort reason of the signal.
 */
export interface ComputeApi {
  /** Returns the default service account of the project, if it has one. */
  defaultServiceAccount(signal: AbortSignal): Promise<string | undefined>
  /** Returns the zones of a region, sorted. */
  zones(region: string, signal: AbortSignal): Promise<readonly string[]>
  /** Returns the instance types in each zone of a region. */
  zonalTypes(region: string, signal: AbortSignal): Promise<readonly ZonalType[]>
  /** Starts the creation of an instance. If several requests have the same request id, the service executes only the first one. */
  insertInstance(zone: string, request: InstanceRequest, requestId: string, signal: AbortSignal): Promise<ZoneOperation>
  operation(zone: string, name: string, signal: AbortSignal): Promise<ZoneOperation>
  instance(zone: string, name: string, signal: AbortSignal): Promise<GceInstance>
  /** Returns the instances of a zone that match the filter. */
  instances(zone: string, filter: string, signal: AbortSignal): Promise<readonly GceInstance[]>
  /** Returns the instances with this name in all zones. */
  instancesNamed(name: string, signal: AbortSignal): Promise<readonly GceInstance[]>
  /** Starts the deletion of an instance. */
  deleteInstance(zone: string, name: string, signal: AbortSignal): Promise<ZoneOperation>
  image(project: string, name: string, signal: AbortSignal): Promise<GceImage>
  images(project: string, filter: string, signal: AbortSignal): Promise<readonly GceImage[]>
  instanceTemplates(region: string, signal: AbortSignal): Promise<readonly InstanceTemplate[]>
  /** Returns the path of the image from which a disk was created. */
  diskImage(zone: string, disk: string, signal: AbortSignal): Promise<string | undefined>
}

/** The client for the GKE API of one cluster. */
export interface GkeApi {
  cluster(signal: AbortSignal): Promise<GkeCluster>
  nodePools(signal: AbortSignal): Promise<readonly GkeNodePool[]>
  releaseChannels(signal: AbortSignal): Promise<readonly ReleaseChannel[]>
}

/** The clients for Compute Engine and GKE. */
export interface GcpApi {
  readonly compute: ComputeApi
  readonly gke: GkeApi
}
