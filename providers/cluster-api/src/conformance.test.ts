import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { clusterApiDriver } from './testing/conformance-driver.ts'

defineProviderConformance(clusterApiDriver)
