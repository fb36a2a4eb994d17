import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { awsDriver } from './testing/conformance-driver.ts'

defineProviderConformance(awsDriver, { generalOneIn: 2 })
