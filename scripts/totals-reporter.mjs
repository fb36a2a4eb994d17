import { writeFileSync } from 'node:fs'

/** What a file costs, its imports and set-up included: on two cores they are often the larger part. */
const wholeDuration = ({ environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration }) =>
  environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration

/** A Vitest reporter that leaves what `totalsOf` needs in the file named by KERF_TEST_REPORT. */
export default class TotalsReporter {
  onTestRunEnd(modules) {
    const file = process.env['KERF_TEST_REPORT']
    if (file === undefined) return
    const testResults = modules.map((module) => ({
      status: module.state(),
      file: module.relativeModuleId,
      milliseconds: wholeDuration(module.diagnostic()),
      assertionResults: [...module.children.allTests()].map((test) => ({ status: test.result().state })),
    }))
    writeFileSync(file, JSON.stringify({ testResults }))
  }
}
