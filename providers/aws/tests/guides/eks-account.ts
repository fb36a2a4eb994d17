import type { Node, Taint } from '@kerf/apis'
import { credential } from '../emulator-call.ts'

/** A managed node group of the account. */
export interface NodeGroup {
  readonly name: string
  readonly size: number
  readonly instanceType: string
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
}

export interface FargateSelector {
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
}

/** The effects of taints in the format of EKS. */
const EFFECTS: Readonly<Record<string, Taint['effect']>> = {
  NO_SCHEDULE: 'NoSchedule',
  NO_EXECUTE: 'NoExecute',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
}

/** The part of the emulated account from which EKS creates machines. Empty until the cluster exists. */
export class EksAccount {
  readonly #endpoint: string
  readonly #cluster: string

  constructor(endpoint: string, cluster: string) {
    this.#endpoint = endpoint
    this.#cluster = cluster
  }

  async #get<Answer>(path: string): Promise<Answer | undefined> {
    const answer = await fetch(`${this.#endpoint}/clusters/${this.#cluster}${path}`, {
      headers: { authorization: credential('eks') },
    })
    return answer.ok ? ((await answer.json()) as Answer) : undefined
  }

  async nodeGroups(): Promise<readonly NodeGroup[]> {
    const names = (await this.#get<{ nodegroups: readonly string[] }>('/node-groups'))?.nodegroups ?? []
    const groups = await Promise.all(
      names.map((name) =>
        this.#get<{
          nodegroup: {
            instanceTypes?: readonly string[]
            labels?: Record<string, string>
            taints?: readonly { key: string; value?: string; effect: string }[]
            scalingConfig?: { desiredSize?: number }
          }
        }>(`/node-groups/${name}`),
      ),
    )
    return groups.flatMap((answer, index) => {
      const group = answer?.nodegroup
      if (group === undefined) return []
      return [
        {
          name: names[index] ?? '',
          size: group.scalingConfig?.desiredSize ?? 1,
          instanceType: group.instanceTypes?.[0] ?? 't3.medium',
          labels: group.labels ?? {},
          taints: (group.taints ?? []).map(({ key, value = '', effect }) => ({
            key,
            value,
            effect: EFFECTS[effect] ?? 'NoSchedule',
          })) satisfies NonNullable<NonNullable<Node['spec']>['taints']>,
        },
      ]
    })
  }

  async fargateSelectors(): Promise<readonly FargateSelector[]> {
    const names =
      (await this.#get<{ fargateProfileNames: readonly string[] }>('/fargate-profiles'))?.fargateProfileNames ?? []
    const profiles = await Promise.all(
      names.map((name) =>
        this.#get<{
          fargateProfile: { selectors?: readonly { namespace?: string; labels?: Record<string, string> }[] }
        }>(`/fargate-profiles/${name}`),
      ),
    )
    return profiles.flatMap((answer) =>
      (answer?.fargateProfile.selectors ?? []).map(({ namespace = '', labels = {} }) => ({ namespace, labels })),
    )
  }
}
