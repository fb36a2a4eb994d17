import type { Milliseconds } from '@kerf/apis'

/** The faults that only Cluster API has. */
export type ClusterApiFault =
  /** The management cluster does not respond. */
  | { readonly kind: 'management-away'; readonly duration: Milliseconds }
  | { readonly kind: 'management-watch-lost'; readonly expired: boolean }
  /** Somebody deletes a Machine. */
  | { readonly kind: 'machine-deleted'; readonly pick: number }
  /** A user adds a replica to a MachineDeployment. */
  | { readonly kind: 'deployment-scaled'; readonly pick: number }
  | { readonly kind: 'cluster-paused'; readonly duration: Milliseconds }
  /** A MachineDeployment gets a different machine template. */
  | { readonly kind: 'machine-template-changed'; readonly pick: number }
  /** After `skip` bindings of Machines, the next `times` bindings take effect, but the process crashes or loses the answer. */
  | {
      readonly kind: 'binding-cut'
      readonly skip: number
      readonly times: number
      readonly failure: 'crash' | 'lost'
    }
