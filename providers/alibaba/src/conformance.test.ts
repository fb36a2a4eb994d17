import { defineProviderConformance } from '@kerf/provider-contract/conformance'
import { alibabaDriver } from './testing/conformance-driver.ts'

defineProviderConformance(alibabaDriver)
