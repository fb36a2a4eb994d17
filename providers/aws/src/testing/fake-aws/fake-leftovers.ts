import type { Filter } from '@aws-sdk/client-ec2'
import { tagMap } from '../../api/aws-api.ts'
import type { Leftovers } from '../../api/leftovers.ts'
import type { FakeEc2 } from './fake-ec2.ts'
import { passes, tagValues } from './filters.ts'

/**
 * A volume and a network interface for each instance that is not terminated. They have the instance's tags from the launch
 * template, and are deleted with the instance (API reference, `DeleteOnTermination`, which is set for both).
 */
export class FakeLeftovers implements Leftovers {
  readonly #ec2: FakeEc2
  /** The tags, by ID, of resources that stay although their instance is gone. */
  readonly kept = new Map<string, Readonly<Record<string, string>>>()

  constructor(ec2: FakeEc2) {
    this.#ec2 = ec2
  }

  async describeVolumes(filters: readonly Filter[]) {
    return this.#of('vol', filters).map(({ id, tags }) => ({ VolumeId: id, State: 'in-use' as const, Tags: tags }))
  }

  async describeNetworkInterfaces(filters: readonly Filter[]) {
    return this.#of('eni', filters).map(({ id, tags }) => ({
      NetworkInterfaceId: id,
      Status: 'in-use' as const,
      TagSet: tags,
    }))
  }

  #of(prefix: string, filters: readonly Filter[]) {
    const attached = this.#ec2
      .living()
      .map(({ data }) => [data.InstanceId.replace(/^i/, prefix), tagMap(data.Tags)] as const)
    const kept = [...this.kept].filter(([id]) => id.startsWith(prefix))
    return [...attached, ...kept]
      .filter(([, tags]) => passes(filters, (name) => tagValues(tags, name) ?? []))
      .map(([id, tags]) => ({ id, tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }))
  }
}
