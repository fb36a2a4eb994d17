import { type KubeObject, type Quantity, setOwnValue, tryParseQuantity } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { presentText } from '../objects/common.ts'

/** What an infrastructure machine template publishes about its machines. */
export interface TemplateDescription {
  readonly capacity: Resources
  readonly architecture: string | undefined
  readonly operatingSystem: string | undefined
}

/** The result of reading a machine template: its description, or the reason why Kerf cannot read it. */
export type KnownTemplate =
  | { readonly kind: 'described'; readonly description: TemplateDescription }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'missing' }

/** The fields of Cluster API's contract for infrastructure machine templates. */
export interface MachineTemplateOnWire extends KubeObject {
  readonly status?: {
    readonly capacity?: Readonly<Record<string, string | number>>
    readonly nodeInfo?: { readonly architecture?: string; readonly operatingSystem?: string }
  }
}

/**
 * Reads the status of an infrastructure machine template
 * (`providers/cluster-api/docs/spec/cluster-api.md#capacity-from-the-machine-template`). Omits invalid amounts without reporting them,
 * because the infrastructure provider wrote them and users cannot correct them.
 */
export const readTemplateDescription = ({ status }: MachineTemplateOnWire): TemplateDescription => {
  const capacity: Record<string, Quantity> = {}
  for (const [name, text] of Object.entries(status?.capacity ?? {})) {
    const amount = tryParseQuantity(text)
    if (amount !== undefined && amount > 0n) setOwnValue(capacity, name, amount)
  }
  return {
    capacity,
    architecture: presentText(status?.nodeInfo?.architecture),
    operatingSystem: presentText(status?.nodeInfo?.operatingSystem),
  }
}
