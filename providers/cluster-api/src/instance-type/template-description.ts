import { type KubeObject, type Quantity, setOwnValue, tryParseQuantity } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { presentText } from '../objects/common.ts'

/** What an infrastructure's machine template publishes of its machines. */
export interface TemplateDescription {
  readonly capacity: Resources
  readonly architecture: string | undefined
  readonly operatingSystem: string | undefined
}

/** What is known of a machine template: its description, or why it is not read. */
export type KnownTemplate =
  | { readonly kind: 'described'; readonly description: TemplateDescription }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'missing' }

/** The fields that Cluster API's contract for infrastructure machine templates names. */
export interface MachineTemplateOnWire extends KubeObject {
  readonly status?: {
    readonly capacity?: Readonly<Record<string, string | number>>
    readonly nodeInfo?: { readonly architecture?: string; readonly operatingSystem?: string }
  }
}

/**
 * Reads the status of an infrastructure machine template (`docs/spec/cluster-api.md#what-the-machine-template-says`). An
 * amount that is none is left out: the infrastructure provider wrote it, so that no user could correct it.
 */
export const templateDescriptionOf = ({ status }: MachineTemplateOnWire): TemplateDescription => {
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
