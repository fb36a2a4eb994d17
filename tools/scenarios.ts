// npm run scenarios [-- NAME …]: plans every scenario, validates the plans, and compares them with Karpenter's plans and with the lower
// bounds. Fails if a promise is broken.
import { runScenarios } from '../tests/integration/scenarios-check/run-scenarios.ts'

const failures = await runScenarios(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
process.exitCode = failures === 0 ? 0 : 1
