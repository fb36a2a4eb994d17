import type { ProviderChecks, ProviderDescriptor } from '@kerf/provider-contract'
import { providers } from '../providers.ts'

const all: readonly ProviderDescriptor[] = providers

/** The checks, and their documents, that each provider adds to `kerf doctor`. */
export const providerChecks: readonly ProviderChecks[] = all.flatMap(({ doctorChecks }) => doctorChecks ?? [])
