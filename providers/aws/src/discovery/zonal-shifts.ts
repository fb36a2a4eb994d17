import type { ProviderContext } from '@kerf/provider-contract'
import type { ZonalShift, ZonalShiftApi } from '../api/aws-api.ts'
import { awsErrors } from '../failures/aws-errors.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { type EC2NodeClass, ec2NodeClassKind } from '../node-class/ec2-node-class.ts'
import type { Cluster } from './cluster.ts'

const NONE: ReadonlySet<string> = new Set()

/** Returns the names of the zones in the node class's status, by zone id. Leaves out zones without an id. */
export const zoneNames = ({ status }: Pick<EC2NodeClass, 'status'>): ReadonlyMap<string, string> =>
  new Map(
    (status?.subnets ?? []).flatMap(({ zone, zoneID }) => (zoneID === undefined ? [] : [[zoneID, zone] as const])),
  )

/**
 * The zones from which the cluster's traffic is shifted away (`providers/aws/docs/spec/aws.md#zonal-shift`), as of the last reading. A
 * shift ends when it expires, even if Kerf can no longer read the shifts. A cancelled shift ends with the next reading.
 */
export class ZonalShifts {
  readonly #context: ProviderContext
  readonly #api: ZonalShiftApi
  readonly #cluster: Cluster
  #shifts: readonly ZonalShift[] = []
  /** Zone names by id. A name is kept even after the node class that contained the zone is deleted. */
  readonly #names = new Map<string, string>()

  constructor(context: ProviderContext, deps: { readonly api: ZonalShiftApi; readonly cluster: Cluster }) {
    this.#context = context
    this.#api = deps.api
    this.#cluster = deps.cluster
  }

  /**
   * Reads the current shifts.
   *
   * @throws NotManaged when zonal shift is not enabled for the cluster, otherwise the error of EKS or the service.
   */
  async read(signal: AbortSignal): Promise<void> {
    const arn = await this.#cluster.arn(signal)
    try {
      this.#shifts = (await this.#api.getManagedResource(arn, signal)).shifts
    } catch (error) {
      if (classifyAwsFailure(error).code !== 'ResourceNotFound') throw error
      throw awsErrors.NotManaged({ cluster: this.#cluster.name }, { cause: error })
    }
  }

  /** Returns the ids of the zones from which traffic is currently shifted away. */
  ids(): ReadonlySet<string> {
    if (this.#shifts.length === 0) return NONE
    const now = this.#context.clock.now()
    return new Set(
      this.#shifts
        .filter(({ isApplied, expiresAt = Number.POSITIVE_INFINITY }) => isApplied && expiresAt > now)
        .map(({ awayFrom }) => awayFrom),
    )
  }

  /**
   * Returns the names of the zones from which traffic is currently shifted away. Only zones with a subnet of a node class have a known
   * name.
   */
  zones(): ReadonlySet<string> {
    const ids = this.ids()
    if (ids.size === 0) return NONE
    for (const nodeClass of this.#context.informers.of(ec2NodeClassKind).values())
      for (const [id, name] of zoneNames(nodeClass)) this.#names.set(id, name)
    return new Set([...ids].flatMap((id) => this.#names.get(id) ?? []).toSorted())
  }
}
