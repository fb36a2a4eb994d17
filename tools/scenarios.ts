// npm run scenarios [-- NAME …]: plans every scenario, validates the plans, compares them with upstream's and with the
// bounds, and fails when a line of the promise is not kept.
import { runScenarios } from '../tests/integration/scenarios-check/run-scenarios.ts'

const failures = await runScenarios(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
process.exitCode = failures === 0 ? 0 : 1
