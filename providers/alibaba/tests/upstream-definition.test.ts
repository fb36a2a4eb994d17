import { describeUpstreamDefinitions } from '../../../tests/integration/conformance/upstream-definitions.ts'
import { nodeClassVerdicts } from '../src/testing/node-class-verdicts.ts'

describeUpstreamDefinitions(nodeClassVerdicts())
