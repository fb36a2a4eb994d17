import { describeUpstreamDefinitions } from '../../../tests/integration/conformance/upstream-definitions.ts'
import { nodeClassVerdicts } from '../src/testing/verdicts.ts'

describeUpstreamDefinitions(nodeClassVerdicts())
