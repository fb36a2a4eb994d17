import type { Filter } from '@aws-sdk/client-ec2'
import { nodeClassKey, ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { type Ec2Api, ec2Filter, tagFilters } from '../api/aws-api.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'

export interface FoundSecurityGroup {
  readonly id: string
  readonly name?: string
}

const TTL = 60_000

/**
 * Returns the filters of each EC2 request that the selector terms need. If a term has several fields, an id takes precedence over a name,
 * and a name over tags (`providers/aws/docs/spec/aws.md#oddities`).
 */
const termQueries = (terms: EC2NodeClass['spec']['securityGroupSelectorTerms']): readonly (readonly Filter[])[] => {
  const ids = terms.flatMap(({ id }) => id ?? [])
  const names = terms.flatMap(({ id, name }) => (id === undefined ? (name ?? []) : []))
  const byTags = terms.flatMap(({ id, name, tags }) =>
    id === undefined && name === undefined && tags !== undefined ? [tagFilters(tags)] : [],
  )
  return [
    ...(ids.length === 0 ? [] : [[ec2Filter('group-id', ...ids)]]),
    ...(names.length === 0 ? [] : [[ec2Filter('group-name', ...names)]]),
    ...byTags,
  ]
}

/** Finds the security groups that node classes select (`providers/aws/docs/spec/aws.md#security-groups`). */
export class SecurityGroups {
  readonly #ec2: Ec2Api
  readonly #found: ReadCache<readonly FoundSecurityGroup[]>

  constructor(ec2: Ec2Api, clock: Clock) {
    this.#ec2 = ec2
    this.#found = new ReadCache(clock, { ttl: TTL })
  }

  /** Returns the security groups, sorted by id. */
  find(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<readonly FoundSecurityGroup[]> {
    return this.#found.read(nodeClassKey(nodeClass), (inner) => this.#ask(nodeClass, inner), signal)
  }

  async #ask(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<readonly FoundSecurityGroup[]> {
    const byId = new Map<string, FoundSecurityGroup>()
    for (const filters of termQueries(nodeClass.spec.securityGroupSelectorTerms)) {
      for (const { GroupId: id, GroupName: name } of await this.#ec2.describeSecurityGroups(filters, signal)) {
        if (id !== undefined) byId.set(id, { id, ...(name === undefined ? {} : { name }) })
      }
    }
    return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }
}
