import { describeUpstreamDefinitions } from '../../../tests/integration/conformance/upstream-definitions.ts'
import { proxmoxVerdicts } from '../src/testing/verdicts.ts'

describeUpstreamDefinitions(proxmoxVerdicts())
