import type { ProviderChecks, ProviderDescriptor } from '@kerf/provider-contract'
import { providers } from '../providers.ts'

const all: readonly ProviderDescriptor[] = providers

/** What every provider adds to `kerf doctor`. */
export const providerChecks: readonly ProviderChecks[] = all.flatMap(({ doctorChecks }) => doctorChecks ?? [])
