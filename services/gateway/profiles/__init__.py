"""Profiles: who asks, and with which agent, workspace, model, criteria, skills, taste, budgets and secrets."""
