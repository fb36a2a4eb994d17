export { type BuildOptions, buildDashboard, installToolchain } from './build-dashboard.ts'
export {
  type DashboardCluster,
  type DashboardFiles,
  type DashboardOptions,
  DashboardServer,
  type LocalController,
} from './dashboard-server.ts'
