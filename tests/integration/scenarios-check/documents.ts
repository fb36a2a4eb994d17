/** A plan in the format of `kerf plan -o json` (`tests/scenarios/format.md`). */
export interface PlanDocument {
  readonly nodeClaims: readonly ClaimDocument[]
  readonly existingNodes: readonly { readonly name: string; readonly pods: readonly string[] }[]
  readonly unschedulable: readonly { readonly pod: string; readonly reason: string }[]
  readonly hourlyCost: number
}

export interface ClaimDocument {
  readonly nodePool: string
  readonly pods: readonly string[]
  readonly instanceTypes: readonly string[]
  readonly cheapest: OfferingDocument
  readonly requests: Readonly<Record<string, string>>
}

export interface OfferingDocument {
  readonly instanceType: string
  readonly zone: string
  readonly capacityType: string
  readonly price: number
}

/** An instance type in the catalogue file. */
export interface CatalogueEntry {
  readonly name: string
  readonly architecture: string
  readonly operatingSystems: readonly string[]
  readonly resources: Readonly<Record<string, string>>
  readonly offerings: readonly {
    readonly Price: number
    readonly Requirements: readonly { readonly key: string; readonly values: readonly string[] }[]
  }[]
}

/** A constraint that a plan breaks. */
export interface Problem {
  readonly code: ProblemCode
  /** The NodeClaim, node, pod or NodePool that breaks it. */
  readonly subject: string
  readonly text: string
}

export type ProblemCode =
  | 'pod.missing'
  | 'pod.twice'
  | 'pod.unknown'
  | 'pool.unknown'
  | 'pool.limit'
  | 'pool.min-values'
  | 'claim.empty'
  | 'claim.types'
  | 'claim.order'
  | 'claim.cheapest'
  | 'claim.requests'
  | 'node.unknown'
  | 'cost'
  | 'order'
  | 'resources'
  | 'selector'
  | 'taint'
  | 'port'
  | 'volume'
  | 'volume.limit'
  | 'spread'
  | 'affinity'
  | 'anti-affinity'
