import type { LaunchDetails } from './launch-details.ts'
import type {
  BootVolumeAttachment,
  CidrUtilization,
  FreeformTags,
  OciBootVolume,
  OciCapacityReservation,
  OciComputeCluster,
  OciImage,
  OciInstance,
  OciNetworkSecurityGroup,
  OciShape,
  OciSubnet,
  OciVnic,
  OciWorkRequest,
  VnicAttachment,
  WorkRequestProblem,
} from './oci-shapes.ts'

/** Filters for a list request. `displayName` selects objects by name. */
export interface NamedQuery {
  readonly compartmentId: string
  readonly displayName?: string
}

export interface NetworkQuery extends NamedQuery {
  readonly vcnId?: string
}

export interface ImageQuery extends NamedQuery {
  readonly operatingSystem?: string
  readonly operatingSystemVersion?: string
}

/** A launch that Oracle Cloud has accepted. The work request shows later whether the instance started. */
export interface AcceptedLaunch {
  readonly instance: OciInstance
  readonly workRequestId?: string
}

/**
 * The client for Oracle Cloud (`providers/oci/docs/spec/oci.md`). Methods that return lists read all pages, and throw if any page fails.
 * Each method throws OciApiError, NoResponseError, the error of the credentials, or the abort reason of the signal.
 */
export interface OciApi {
  /** Returns the full names of the availability domains, for example `Uocm:PHX-AD-1`. */
  availabilityDomains(compartmentId: string, signal: AbortSignal): Promise<readonly string[]>
  /** Returns the shapes of one availability domain. */
  shapes(compartmentId: string, availabilityDomain: string, signal: AbortSignal): Promise<readonly OciShape[]>

  /**
   * Starts the launch of an instance. Within 24 hours, a repeated launch with the same retry token and the same details returns the first
   * instance.
   */
  launch(details: LaunchDetails, retryToken: string, signal: AbortSignal): Promise<AcceptedLaunch>
  instance(id: string, signal: AbortSignal): Promise<OciInstance>
  /** Returns the instances of a compartment, including those that were terminated within the last hours. */
  instances(compartmentId: string, signal: AbortSignal): Promise<readonly OciInstance[]>
  /** Starts the termination of an instance. This also deletes its boot volume and the volumes that were created with it. */
  terminate(id: string, signal: AbortSignal): Promise<void>
  /** Replaces all free-form tags of an instance. */
  replaceFreeformTags(id: string, tags: FreeformTags, signal: AbortSignal): Promise<void>
  workRequest(id: string, signal: AbortSignal): Promise<OciWorkRequest>
  workRequestErrors(id: string, signal: AbortSignal): Promise<readonly WorkRequestProblem[]>

  /** Returns the VNIC attachments of all instances in a compartment, or of one instance. */
  vnicAttachments(
    compartmentId: string,
    instanceId: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly VnicAttachment[]>
  vnic(id: string, signal: AbortSignal): Promise<OciVnic>
  /** Returns the boot volume attachments in one availability domain. */
  bootVolumeAttachments(
    compartmentId: string,
    availabilityDomain: string,
    signal: AbortSignal,
  ): Promise<readonly BootVolumeAttachment[]>
  bootVolume(id: string, signal: AbortSignal): Promise<OciBootVolume>

  image(id: string, signal: AbortSignal): Promise<OciImage>
  /** Returns the available images, newest first. */
  images(query: ImageQuery, signal: AbortSignal): Promise<readonly OciImage[]>
  /** Returns the names of the shapes that can boot an image. */
  shapesOfImage(imageId: string, signal: AbortSignal): Promise<readonly string[]>
  subnet(id: string, signal: AbortSignal): Promise<OciSubnet>
  subnets(query: NetworkQuery, signal: AbortSignal): Promise<readonly OciSubnet[]>
  subnetUtilization(id: string, signal: AbortSignal): Promise<readonly CidrUtilization[]>
  networkSecurityGroup(id: string, signal: AbortSignal): Promise<OciNetworkSecurityGroup>
  networkSecurityGroups(query: NetworkQuery, signal: AbortSignal): Promise<readonly OciNetworkSecurityGroup[]>

  capacityReservation(id: string, signal: AbortSignal): Promise<OciCapacityReservation>
  capacityReservations(query: NamedQuery, signal: AbortSignal): Promise<readonly OciCapacityReservation[]>
  computeCluster(id: string, signal: AbortSignal): Promise<OciComputeCluster>
  computeClusters(query: NamedQuery, signal: AbortSignal): Promise<readonly OciComputeCluster[]>
}
